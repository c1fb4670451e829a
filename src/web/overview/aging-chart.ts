import { BUCKETS, type Bucket } from "../../core/aging/buckets.ts";
import { money } from "../../core/kernel/money.ts";
import { readableMoney } from "../../core/mail/readable.ts";
import { type Html, html } from "../kit/html.ts";
import type { WorkspaceVisit } from "../kit/visit.ts";
import { shownAmount } from "../lists/figures.ts";
import { BUCKET_WORDS } from "../receivables/terms.ts";
import type { AgingTotals } from "./overview-figures.ts";

type Total = AgingTotals[number];

const WIDTH = 280;
const HEIGHT = 110;
const STEP = WIDTH / BUCKETS.length;
const BAR = 34;

/** The label below a bar: its range of days, or two lines. */
const BELOW: Readonly<Record<Bucket, string>> = {
  current: "not overdue",
  days_1_30: "1–30",
  days_31_60: "31–60",
  days_61_90: "61–90",
  over_90: "over 90",
};

/** The aging of one currency as bars that link to their rows, with a table beside them. */
export function agingChart(total: Total, visit: WorkspaceVisit): Html {
  const { currency } = total;
  const rowsOf = (bucket: Bucket): string => visit.address("/installments", { currency, bucket });
  const largest = BUCKETS.map((bucket) => money(total[bucket])).reduce((a, b) => (b.greaterThan(a) ? b : a));
  const height = (bucket: Bucket): string =>
    largest.isZero() ? "0" : money(total[bucket]).times(HEIGHT).div(largest).toFixed(1);
  const bars = BUCKETS.map((bucket, index) => {
    const tall = height(bucket);
    const label = `${BELOW[bucket]}: ${readableMoney(money(total[bucket]), currency)}`;
    const lines = bucket === "current" ? BELOW[bucket].split(" ") : [BELOW[bucket]];
    return html`<a href="${rowsOf(bucket)}" aria-label="${label}"><rect class="reach" x="${(index * STEP).toFixed(1)}" y="0" width="${STEP}" height="${HEIGHT + 37}"/>
<rect class="bar ${bucket}" x="${(index * STEP + (STEP - BAR) / 2).toFixed(1)}" y="${(HEIGHT - Number(tall)).toFixed(1)}" width="${BAR}" height="${tall}" rx="3"/>
<text y="${HEIGHT + 17}">${lines.map((line, place) => html`<tspan x="${(index * STEP + STEP / 2).toFixed(1)}"${place > 0 && html` dy="15"`}>${line}</tspan> `)}</text></a>
`;
  });
  return html`<div class="aging"><svg viewBox="0 0 ${WIDTH} ${HEIGHT + 39}" role="group" aria-label="Aging in ${currency}, by days overdue">
<line x1="0" y1="${HEIGHT + 0.5}" x2="${WIDTH}" y2="${HEIGHT + 0.5}"/>
${bars}</svg>
<table class="figures"><caption class="unseen">Aging in ${currency}</caption>
<tbody>${BUCKETS.map((bucket) => html`<tr><th scope="row"><span class="dot ${bucket}"></span>${BUCKET_WORDS[bucket]}</th><td class="share">${share(total[bucket], total)}</td><td class="number"><a href="${rowsOf(bucket)}">${shownAmount(total[bucket], currency)}</a></td></tr>`)}
</tbody></table></div>`;
}

/** An amount's share of the total outstanding, in whole percent. */
export function share(part: string, { outstanding }: Pick<Total, "outstanding">): string {
  const whole = money(outstanding);
  return whole.isZero() ? "" : `${money(part).times(100).div(whole).toFixed(0)}%`;
}
