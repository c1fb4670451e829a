/** A lease that a worker keeps while it works. */
interface KeptLease {
  readonly leaseMs: number;
  /** False where the lease is somebody else's by now. */
  renew(): Promise<boolean>;
  /** Told what a renewal rejects with; the next one may go well. */
  failed(error: unknown): void;
}

/** Does work under a lease, renewed three times in its length; the work's signal is aborted once the lease is lost. */
export async function whileLeased<T>(
  { leaseMs, renew, failed }: KeptLease,
  work: (lost: AbortSignal) => Promise<T>,
): Promise<T> {
  const lost = new AbortController();
  const heartbeat = setInterval(() => void renew().then((kept) => kept || lost.abort(), failed), leaseMs / 3);
  try {
    return await work(lost.signal);
  } finally {
    clearInterval(heartbeat);
  }
}
