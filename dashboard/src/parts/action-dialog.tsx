import type { ComponentChildren } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import { type Intent, keepAnswer, newIntent, type Request, send } from '../intents.ts';
import { type Outcome, OUTCOME_CLASSES } from '../pure/outcomes.ts';
import { useStore } from '../use-store.ts';

export interface ActionDialogProps {
  readonly title: string;
  /** What it will do, before it does it. */
  readonly children: ComponentChildren;
  /** What the button says; null where there is nothing to confirm. */
  readonly confirm: string | null;
  readonly isDangerous?: boolean;
  /** What to send; null while the form is not complete. Read once, when the person confirms. */
  readonly request: () => { readonly words: string; readonly request: Request } | null;
  readonly onClose: () => void;
}

type Step =
  | { readonly is: 'asking' }
  | { readonly is: 'sending'; readonly intent: Intent }
  | { readonly is: 'answered'; readonly intent: Intent; readonly outcome: Outcome };

/** Asks once, sends once, and says what became of it; asking again sends the same request under the same key. */
export function ActionDialog(props: ActionDialogProps) {
  const { client, refresh } = useStore();
  const dialog = useRef<HTMLDialogElement>(null);
  const [step, setStep] = useState<Step>({ is: 'asking' });
  const isLeft = useRef(false);
  useEffect(() => {
    dialog.current?.showModal();
    return () => void (isLeft.current = true);
  }, []);

  const ask = async (intent: Intent, isFirst: boolean): Promise<void> => {
    setStep({ is: 'sending', intent });
    const outcome = await send(client, intent, isFirst);
    // Who has closed the dialog meanwhile has not seen it.
    if (isLeft.current) keepAnswer(intent, outcome);
    else setStep({ is: 'answered', intent, outcome });
    refresh();
  };
  const begin = (event: Event): void => {
    event.preventDefault();
    if (step.is !== 'asking') return;
    const made = props.request();
    if (made !== null) void ask(newIntent(made.words, made.request), true);
  };

  return (
    <dialog ref={dialog} aria-labelledby="dialog-title" onClose={props.onClose}>
      <form onSubmit={begin}>
        <h2 id="dialog-title">{props.title}</h2>
        {step.is === 'asking' ? props.children : null}
        <div role="status" aria-live="polite">
          {step.is === 'sending' ? <p>Sending… {step.intent.words}</p> : null}
          {step.is === 'answered' ? <OutcomeText outcome={step.outcome} /> : null}
        </div>
        <div class="buttons">
          {step.is === 'asking' && props.confirm !== null ? (
            <button type="submit" class={props.isDangerous ? 'danger' : 'primary'}>
              {props.confirm}
            </button>
          ) : null}
          {step.is === 'answered' && step.outcome.kind === 'open' ? (
            <button type="button" class="primary" onClick={() => void ask(step.intent, false)}>
              Ask again
            </button>
          ) : null}
          <button type="button" onClick={() => dialog.current?.close()}>
            {step.is === 'asking' ? 'Leave it' : 'Close'}
          </button>
        </div>
      </form>
    </dialog>
  );
}

export function OutcomeText({ outcome }: { readonly outcome: Outcome }) {
  return (
    <div class={OUTCOME_CLASSES[outcome.kind]}>
      <p>{outcome.words}</p>
      {outcome.items && outcome.items.length > 0 ? (
        <ul>
          {outcome.items.map((item) => (
            <li key={item}>{item}</li>
          ))}
        </ul>
      ) : null}
    </div>
  );
}
