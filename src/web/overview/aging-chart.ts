import { BUCKETS, type Bucket } from "../../core/aging/buckets.ts";
import { money, ZERO } from "../../core/kernel/money.ts";
import { readableMoney } from "../../core/mail/readable.ts";
import { BUCKET_WORDS, html, link } from "../kit/markup.ts";
import type { WorkspaceVisit } from "../kit/page.ts";
import { shownAmount } from "../lists/list.ts";
import type { AgingTotals } from "./overview-figures.ts";

type Total = AgingTotals[number];

const WIDTH = 280;
const HEIGHT = 110;
const STEP = WIDTH / BUCKETS.length;
const BAR = 34;

/** The lines below a bar: its range of days. */
const BELOW: Readonly<Record<Bucket, readonly string[]>> = {
  current: ["not", "overdue"],
  days_1_30: ["1–30"],
  days_31_60: ["31–60"],
  days_61_90: ["61–90"],
  over_90: ["over 90"],
};

/** The aging of one currency as bars that link to their rows, with a table beside them. */
export function agingChart(total: Total, visit: WorkspaceVisit) {
  const { currency } = total;
  const rowsOf = (bucket: Bucket) => visit.address("/installments", { currency, bucket });
  const [largest = ZERO] = BUCKETS.map((bucket) => money(total[bucket])).sort((a, b) => b.comparedTo(a));
  const bars = BUCKETS.map((bucket, index) => {
    const tall = largest.isZero() ? "0" : money(total[bucket]).times(HEIGHT).div(largest).toFixed(1);
    const label = `${BELOW[bucket].join(" ")}: ${readableMoney(total[bucket], currency)}`;
    const left = index * STEP;
    const middle = left + STEP / 2;
    const below = BELOW[bucket].map((line, place) => {
      return html`<tspan x="${middle}"${place > 0 && html` dy="15"`}>${line}</tspan> `;
    });
    const bar = html`<rect class="reach" x="${left}" y="0" width="${STEP}" height="${HEIGHT + 37}"/>
<rect class="bar ${bucket}" x="${middle - BAR / 2}" y="${(HEIGHT - Number(tall)).toFixed(1)}"
 width="${BAR}" height="${tall}" rx="3"/>
<text y="${HEIGHT + 17}">${below}</text>`;
    return html`<a href="${rowsOf(bucket)}" aria-label="${label}">${bar}</a>`;
  });
  const rows = BUCKETS.map(
    (bucket) => html`<tr><th scope="row"><span class="dot ${bucket}"></span>${BUCKET_WORDS[bucket]}</th>\
<td class="share">${share(total[bucket], total)}</td>\
<td class="number">${link(rowsOf(bucket), shownAmount(total[bucket], currency))}</td></tr>`,
  );
  const label = `Aging in ${currency}, by days overdue`;
  return html`<div class="aging"><svg viewBox="0 0 ${WIDTH} ${HEIGHT + 39}" role="group" aria-label="${label}">
<line x1="0" y1="${HEIGHT + 0.5}" x2="${WIDTH}" y2="${HEIGHT + 0.5}"/>
${bars}</svg>
<table class="figures"><caption class="unseen">Aging in ${currency}</caption>
<tbody>${rows}
</tbody></table></div>`;
}

/** An amount's share of the total outstanding, in whole percent. */
export function share(part: string, { outstanding }: Pick<Total, "outstanding">) {
  const whole = money(outstanding);
  return whole.isZero() ? "" : `${money(part).times(100).div(whole).toFixed(0)}%`;
}
