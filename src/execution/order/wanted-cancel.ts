import type { OrderState } from './order.ts';

/** A state in which a cancel can be wanted, with one that is or is not; `byGateway`: see Working. */
export function withCancel(
  state: Extract<OrderState, { readonly cancelWanted: boolean }>,
  cancelWanted: boolean,
  byGateway = state.kind === 'working' && state.cancelByGateway === true,
): OrderState {
  if (state.kind !== 'working') return { ...state, cancelWanted };
  const { kind, binding, fill, unrecognisedSince } = state;
  const own = cancelWanted && byGateway ? ({ cancelByGateway: true } as const) : {};
  return { kind, binding, fill, cancelWanted, ...own, unrecognisedSince };
}
