import type { SandboxClock } from '../kernel/ports.ts';
import type { FromGateway } from './gateway-messages.ts';

/** One process of the gateway. */
export interface Life {
  /** Resolves once it listens, or once it is known that it will not. */
  readonly begun: Promise<FromGateway>;
  /** Resolves when the process is gone, with how it ended. */
  readonly ended: Promise<string>;
  /** SIGKILL: the process gets no time for anything. */
  kill(): void;
  /** Asks the gateway to finish what is on its way, and to end. */
  stop(): void;
}

/** A gateway that is started again whenever its process ends. */
export interface KeptGateway {
  readonly url: string;
  /** Signs a browser in, once. */
  readonly link: string;
  /** Kills the process that runs. This end does not count as one of those that `gaveUp` is about. */
  kill(): void;
  isListening(): boolean;
  /** Resolves once it listens; at once where it does. */
  listening(): Promise<void>;
  /** How often it was started again. */
  restarts(): number;
  /** Resolves with the reason when it has ended too often by itself, and is not started any more. */
  readonly gaveUp: Promise<string>;
  /** Resolves when the process is gone: killed, where it has not ended by itself after 25 s. */
  stop(): Promise<void>;
}

/** An end within this time after the start counts as a quick one, in ms. */
const QUICK_MS = 10_000;
const MOST_QUICK = 5;
const FIRST_WAIT_MS = 200;
/** Longer than a gateway waits for what is on its way when it stops. */
const STOP_WITHIN_MS = 25_000;

export interface KeepRunningParts {
  readonly launch: () => Life;
  readonly clock: SandboxClock;
  readonly tell: (line: string) => void;
}

/** Starts the gateway. Rejects where the first start fails; later ones are tried again, each after a longer wait. */
export async function keepRunning({ launch, clock, tell }: KeepRunningParts): Promise<KeptGateway> {
  let life = launch();
  const first = await life.begun;
  if (first.kind === 'failed') {
    await life.ended;
    throw new Error(first.reason);
  }
  const { url, link } = first;
  let isListening = true;
  let isStopping = false;
  let isAsked = false;
  let restarts = 0;
  let startedAt = clock.now();
  const waiting = new Set<() => void>();
  const later = (ms: number): Promise<void> =>
    new Promise((resolve) => void clock.after(ms, resolve));

  /** Resolves to why it is not started any more; null where it was stopped. */
  async function keep(): Promise<string | null> {
    for (let quick = 0; ;) {
      const how = await life.ended;
      isListening = false;
      if (isStopping) return null;
      if (isAsked) quick = 0;
      else quick = clock.now() - startedAt < QUICK_MS ? quick + 1 : 1;
      isAsked = false;
      if (quick > MOST_QUICK) {
        return `the gateway ended ${quick} times in a row by itself, the last time by ${how}; its lines above say why`;
      }
      if (quick > 0) tell(`the gateway ended by ${how}; it is started again`);
      await later(FIRST_WAIT_MS * 2 ** Math.max(0, quick - 1));
      if (isStopping) return null;
      life = launch();
      restarts += 1;
      startedAt = clock.now();
      const begun = await life.begun;
      if (begun.kind === 'failed') tell(`the gateway did not start: ${begun.reason}`);
      else {
        isListening = true;
        for (const resolve of waiting) resolve();
        waiting.clear();
      }
    }
  }
  const kept = keep();

  return {
    ...{ url, link },
    kill() {
      isAsked = true;
      isListening = false;
      life.kill();
    },
    isListening: () => isListening,
    listening: () =>
      isListening ? Promise.resolve() : new Promise((resolve) => void waiting.add(resolve)),
    restarts: () => restarts,
    gaveUp: new Promise((resolve) => {
      void kept.then((reason) => reason !== null && resolve(reason));
    }),
    async stop() {
      isStopping = true;
      life.stop();
      const cancelKill = clock.after(STOP_WITHIN_MS, () => life.kill());
      await life.ended;
      cancelKill();
    },
  };
}
