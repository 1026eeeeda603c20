import type { Clock } from '../platform/clock.ts';
import type { SendResult } from '../platform/messenger.ts';
import type { Gateway } from '../router/gateway.ts';
import { plus, type ElapsedMs } from '../units/branded.ts';

const CONFIRM_WITHIN_MS = 60_000;
const CALLER = 'telegram';

/** `/kill` and `/kill confirm`. */
export interface KillCommand {
  /** The question, and a function to call once it has been sent: only then can it be confirmed. */
  ask(): { readonly text: string; readonly asked: (result: SendResult) => void };
  /** `messageId` is that of the confirming message, which must come after the question. */
  confirm(messageId: number): Promise<string>;
}

export function createKillCommand(parts: {
  readonly gateway: Pick<Gateway, 'getKillSwitch' | 'setKillSwitch'>;
  readonly clock: Clock;
}): KillCommand {
  const { gateway, clock } = parts;
  let question: { readonly messageId: number; readonly until: ElapsedMs } | null = null;

  return {
    ask() {
      question = null;
      if (gateway.getKillSwitch().engaged) {
        return { text: 'The kill switch is engaged already.', asked: () => undefined };
      }
      const text =
        'Engage the kill switch? New orders are then refused; cancels and orders that only ' +
        'reduce a position pass. It can be released only by HTTP. To confirm, send within a ' +
        'minute:\n' +
        '/kill confirm';
      return {
        text,
        asked(result) {
          if (result.kind !== 'sent') return;
          question = {
            messageId: result.messageId,
            until: plus(clock.elapsed(), CONFIRM_WITHIN_MS),
          };
        },
      };
    },

    async confirm(messageId) {
      const asked = question;
      question = null;
      if (asked === null || clock.elapsed() > asked.until || messageId < asked.messageId) {
        return (
          'Nothing was done: there is no question to confirm, or it is older than a ' +
          'minute. Send /kill first.'
        );
      }
      const context = { caller: CALLER, idempotencyKey: null };
      await gateway.setKillSwitch(true, 'engaged by Telegram', context);
      return 'The kill switch is engaged.';
    },
  };
}
