/** When the gateway may begin sessions with brokers by itself (docs/decisions/0097-tokens-that-end-those-of-others.md). */
export interface SessionGate {
  /** See BrokerPorts.sessionHeldBack. */
  sessionHeldBack(): string | null;
  /** Nothing can refuse the start any more. */
  begin(): void;
}

export function createSessionGate(disarmed: () => string | null): SessionGate {
  let hasBegun = false;
  return {
    sessionHeldBack: () => disarmed() ?? (hasBegun ? null : 'the gateway has not started yet'),
    begin() {
      hasBegun = true;
    },
  };
}
