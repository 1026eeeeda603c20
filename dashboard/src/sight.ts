/**
 * Whether somebody sees the page. One in a tab behind another holds no connection open and reads nothing: a browser opens six to an
 * address, those of all its tabs together, and what the person presses in the tab that is seen would wait for one.
 */
export interface Sight {
  isSeen(): boolean;
  /** Calls the listener when that changes, until the returned function is called. */
  onChange(listener: () => void): () => void;
}

/** Resolves once the page is seen, or the signal is aborted. */
export function untilSeen(sight: Sight, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const look = (): void => {
      if (!sight.isSeen() && !signal.aborted) return;
      stop();
      signal.removeEventListener('abort', look);
      resolve();
    };
    const stop = sight.onChange(look);
    signal.addEventListener('abort', look);
    look();
  });
}

/** A signal that is aborted with `signal`, and once the page is not seen any more; `done` ends that. */
export function whileSeen(
  sight: Sight,
  signal: AbortSignal,
): { readonly signal: AbortSignal; readonly done: () => void } {
  const controller = new AbortController();
  const look = (): void => {
    if (signal.aborted || !sight.isSeen()) controller.abort();
  };
  const stop = sight.onChange(look);
  signal.addEventListener('abort', look);
  look();
  const done = (): void => {
    stop();
    signal.removeEventListener('abort', look);
  };
  return { signal: controller.signal, done };
}

/** Reads now, each `ms` while the page is seen, and at once when it is seen again. Until the returned function is called. */
export function repeatWhileSeen(sight: Sight, ms: number, read: () => void): () => void {
  let timer: ReturnType<typeof setInterval> | undefined;
  const look = (): void => {
    clearInterval(timer);
    if (!sight.isSeen()) return;
    read();
    timer = setInterval(read, ms);
  };
  const stop = sight.onChange(look);
  look();
  return () => {
    stop();
    clearInterval(timer);
  };
}
