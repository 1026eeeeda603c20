import { useEffect, useState } from 'preact/hooks';
import {
  forgetAnswer,
  forgetIntent,
  type Intent,
  openIntents,
  sendAgain,
  unseenAnswers,
} from '../intents.ts';
import { type Answer, sinceThen, stillHolds } from '../pure/answers.ts';
import { clockTime, isSameDay } from '../pure/format.ts';
import { usePage, useStore } from '../use-store.ts';
import { OutcomeText } from './action-dialog.tsx';

/** What the person has asked for and not seen the end of. */
export interface Asked {
  /** Those without an answer that says what happened. */
  readonly open: readonly Intent[];
  /** Of those too, the last one that says that it is not known. */
  readonly answers: readonly Answer[];
}

export function useIntents(): Asked {
  const page = usePage();
  const read = (): Asked => ({ open: openIntents(), answers: unseenAnswers() });
  const [asked, setAsked] = useState(read);
  useEffect(() => {
    const look = (): void => setAsked(read());
    for (const name of ['intents', 'storage']) addEventListener(name, look);
    return () => {
      for (const name of ['intents', 'storage']) removeEventListener(name, look);
    };
  }, []);
  return { open: asked.open, answers: asked.answers.filter((each) => stillHolds(each, page)) };
}

export function Intents({ open, answers }: Asked) {
  const isOpen = ({ key }: Answer): boolean => open.some((each) => each.key === key);
  return (
    <>
      {open.map((intent) => (
        <OpenIntent
          key={intent.key}
          intent={intent}
          answer={answers.find(({ key }) => key === intent.key) ?? null}
        />
      ))}
      {answers
        .filter((answer) => !isOpen(answer))
        .map((answer) => (
          <AnswerItem key={answer.key} answer={answer} />
        ))}
    </>
  );
}

const timeOf = (at: number): string => clockTime(at, Date.now());

/** What became of something that was asked for again, or whose dialog was closed before the answer came. */
function AnswerItem({ answer }: { readonly answer: Answer }) {
  const since = sinceThen(answer, usePage());
  return (
    <li>
      <p>
        <strong>{answer.words}</strong>, answered at {timeOf(answer.at)}:
      </p>
      <OutcomeText outcome={answer.outcome} />
      {since === null ? null : <p>Since then it has changed: {since}.</p>}
      <button type="button" onClick={() => forgetAnswer(answer)}>
        I have seen it<span class="unseen">: {answer.words}</span>
      </button>
    </li>
  );
}

interface OpenProps {
  readonly intent: Intent;
  readonly answer: Answer | null;
}

/** Something that was asked for, and that no answer came to. */
function OpenIntent({ intent, answer }: OpenProps) {
  const { client, refresh } = useStore();
  const [isAsking, setAsking] = useState(false);
  const ask = async (): Promise<void> => {
    setAsking(true);
    await sendAgain(client, intent);
    setAsking(false);
    refresh();
  };
  // A key holds for its day: on another one the same request could be done twice.
  const isOfToday = isSameDay(intent.at, Date.now());
  return (
    <li class="notice bad">
      <p>
        Not known whether this was done, since no answer came at {timeOf(intent.at)}:{' '}
        <strong>{intent.words}</strong>.{' '}
        {isOfToday
          ? 'Asking again sends the same request under the same key: it is not done twice. If it never arrived, it is done then.'
          : 'It is of an earlier day, and is not asked again: look at the orders and positions, and ask anew for what is still wanted.'}
      </p>
      {answer === null || isAsking ? null : (
        <>
          <p>Asked again, and answered at {timeOf(answer.at)}:</p>
          <OutcomeText outcome={answer.outcome} />
        </>
      )}
      {isOfToday ? (
        <button type="button" class="primary" disabled={isAsking} onClick={() => void ask()}>
          {isAsking ? 'Asking…' : 'Ask again'}
        </button>
      ) : null}{' '}
      <button type="button" disabled={isAsking} onClick={() => forgetIntent(intent)}>
        I have looked: forget it
      </button>
    </li>
  );
}
