import { useCallback, useEffect, useState } from 'preact/hooks';
import type { DemoState, RunName } from '../../sandbox/demo/run-record.ts';

/** Often while something happens, so that the timeline is live; seldom otherwise. */
const WHILE_RUNNING_MS = 300;
const OTHERWISE_MS = 2_000;
const ANSWER_WITHIN_MS = 3_000;

export interface Demo {
  /** As it was last told; null before the first answer. */
  readonly state: DemoState | null;
  /** The gateway, which this page reaches the demo through, does not answer now. */
  readonly isGatewayGone: boolean;
  /** Why what was asked for has not begun; null where it has. */
  readonly refusal: string | null;
  readonly ask: (run: RunName) => void;
}

/** Follows the demo, also over the end of the gateway that serves this page. */
export function useDemo(): Demo {
  const [state, setState] = useState<DemoState | null>(null);
  const [isGatewayGone, setGone] = useState(false);
  const [refusal, setRefusal] = useState<string | null>(null);
  const [asked, setAsked] = useState(0);
  const isQuick = isGatewayGone || state?.run?.state === 'running';

  useEffect(() => {
    let isOver = false;
    let timer: ReturnType<typeof setTimeout> | undefined;
    async function look(): Promise<void> {
      const told = await readState();
      if (isOver) return;
      setGone(told === null);
      if (told !== null) setState(told);
      timer = setTimeout(() => void look(), isQuick ? WHILE_RUNNING_MS : OTHERWISE_MS);
    }
    void look();
    return () => {
      isOver = true;
      clearTimeout(timer);
    };
  }, [isQuick, asked]);

  const ask = useCallback((run: RunName) => {
    setRefusal(null);
    void begin(run).then((reason) => {
      setRefusal(reason);
      setAsked((count) => count + 1);
    });
  }, []);
  return { state, isGatewayGone, refusal, ask };
}

async function readState(): Promise<DemoState | null> {
  try {
    const reply = await fetch('/demo/state', { signal: AbortSignal.timeout(ANSWER_WITHIN_MS) });
    return reply.ok ? await reply.json() : null;
  } catch {
    return null;
  }
}

/** Null where it has begun, or a sentence that says why not. */
async function begin(run: RunName): Promise<string | null> {
  try {
    const reply = await fetch('/demo/run', {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ run }),
      signal: AbortSignal.timeout(ANSWER_WITHIN_MS),
    });
    if (reply.status === 202) return null;
    const answer: { message?: string; detail?: string } = await reply.json();
    return answer.message ?? answer.detail ?? `The demo answers ${reply.status}.`;
  } catch {
    return 'The gateway does not answer now: press again once it does.';
  }
}
