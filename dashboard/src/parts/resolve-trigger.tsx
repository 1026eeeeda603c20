import { useState } from 'preact/hooks';
import {
  type OwnTrigger,
  resolutionOf,
  resolutionWords,
  triggerTerms,
  type TriggerAnswer,
  type TriggerWord,
} from '../pure/triggers.ts';
import { ActionDialog } from './action-dialog.tsx';
import { Field } from './field.tsx';

const CHOICES: Readonly<Record<TriggerWord, string>> = {
  placed: 'there, under the id of the broker below',
  absent: 'not there: it was never placed, and has placed no order',
  filled: 'over, and its order has filled as below',
};

interface Props {
  readonly trigger: OwnTrigger;
  /** What can be said of it. */
  readonly words: readonly TriggerWord[];
  readonly onClose: () => void;
}

/** A person's word on a trigger of which nobody knows what became of it (docs/triggers.md). */
export function ResolveTriggerDialog({ trigger, words, onClose }: Props) {
  const { broker, candidates, reason, id } = trigger;
  const [answer, setAnswer] = useState<TriggerAnswer>({
    word: words.length === 1 ? (words[0] ?? null) : null,
    ...{ placed: '', isForced: false, filled: '', averagePrice: '' },
  });
  const change = (part: Partial<TriggerAnswer>): void => setAnswer({ ...answer, ...part });
  const terms = triggerTerms(trigger);
  const request = () => {
    const body = resolutionOf(answer);
    if (body === null) return null;
    return {
      words: resolutionWords(terms, body),
      request: { call: 'resolveTrigger' as const, input: { id, body } },
    };
  };
  return (
    <ActionDialog
      title="What does the app of the broker show?"
      confirm="This is what it shows"
      isDangerous
      onClose={onClose}
      request={request}
    >
      <p>
        {terms}, at {broker}. {reason}
      </p>
      <p class="quiet">
        Look at the triggers (GTT) and at the order book in the app of {broker} first. The gateway
        believes you, and writes down that it was you.
      </p>
      {candidates.length === 0 ? null : (
        <p>Each of these at the broker could be it: {candidates.join(', ')}.</p>
      )}
      <fieldset>
        <legend>The trigger is</legend>
        {words.map((word) => (
          <label key={word} class="choice">
            <input
              type="radio"
              name="resolution"
              required
              checked={answer.word === word}
              onChange={() => change({ word })}
            />
            {CHOICES[word]}
          </label>
        ))}
      </fieldset>
      {answer.word === 'placed' ? <Placed answer={answer} onChange={change} /> : null}
      {answer.word === 'filled' ? <Filled answer={answer} onChange={change} /> : null}
    </ActionDialog>
  );
}

interface PartProps {
  readonly answer: TriggerAnswer;
  readonly onChange: (part: Partial<TriggerAnswer>) => void;
}

function Placed({ answer, onChange }: PartProps) {
  return (
    <>
      <Field
        label="Trigger id of the broker"
        value={answer.placed}
        onValue={(placed) => onChange({ placed })}
        mode="text"
      />
      <label class="choice">
        <input
          type="checkbox"
          checked={answer.isForced}
          onChange={({ currentTarget }) => onChange({ isForced: currentTarget.checked })}
        />
        It is this trigger although its terms differ there. Leave this empty unless the gateway has
        refused the id.
      </label>
    </>
  );
}

function Filled({ answer, onChange }: PartProps) {
  return (
    <>
      <Field
        label="Filled in all, in shares or units; 0 for nothing"
        value={answer.filled}
        onValue={(filled) => onChange({ filled })}
        mode="numeric"
      />
      <Field
        label="At what price on average, ₹; leave it empty where the app does not say"
        value={answer.averagePrice}
        onValue={(averagePrice) => onChange({ averagePrice })}
        isRequired={false}
      />
    </>
  );
}
