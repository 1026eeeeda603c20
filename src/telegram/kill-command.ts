import type { Gateway } from '../router/gateway.ts';
import type { AskingCommand } from './confirmation.ts';
import { CALLER } from './words.ts';

/** `/kill`: engages the kill switch, once it is confirmed. */
export function createKillCommand(
  gateway: Pick<Gateway, 'getKillSwitch' | 'setKillSwitch'>,
): AskingCommand {
  return {
    async ask(words) {
      if (words.length > 0) return 'Unknown word after /kill. Send /kill, then /kill confirm.';
      if (gateway.getKillSwitch().engaged) return 'The kill switch is engaged already.';
      return {
        text:
          'Engage the kill switch? New orders are then refused; cancels and orders that only ' +
          'reduce a position pass. It can be released only by HTTP.',
        async act() {
          const context = { caller: CALLER, idempotencyKey: null };
          await gateway.setKillSwitch(true, 'engaged by Telegram', context);
          return 'The kill switch is engaged.';
        },
      };
    },
  };
}
