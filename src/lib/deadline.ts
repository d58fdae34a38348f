/**
 * A signal that is aborted after `ms`, whoever holds it. That of `AbortSignal.timeout` is forgotten with the next garbage collection when
 * only an `AbortSignal.any` is made of it, and then never aborts (Node 20). It keeps no process alive.
 */
export function deadline(ms: number): AbortSignal {
  const controller = new AbortController();
  const late = () => controller.abort(new DOMException('The time is over.', 'TimeoutError'));
  setTimeout(late, ms).unref();
  return controller.signal;
}

/** Rejects as soon as the caller is interrupted; the work goes on for others. */
export function unlessAborted<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    const stop = () => reject(signal.reason);
    if (signal.aborted) stop();
    signal.addEventListener('abort', stop, { once: true });
    work.then(resolve, reject).finally(() => signal.removeEventListener('abort', stop));
  });
}
