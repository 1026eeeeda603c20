import { join } from 'node:path';
import type { Callers } from '../callers/callers.ts';
import type { Configuration } from '../config/settings.ts';
import type { Log } from '../platform/log.ts';
import { createHooks, type HookChange, type Hooks } from '../signals/hooks.ts';
import { createAlertReader, liveCaller } from '../signals/read-alert.ts';
import { createSignals, type SignalInbox } from '../signals/signals.ts';
import type { GatewayModules } from './gateway.ts';
import type { Ports } from './ports.ts';
import { tellHookChange, tellingHookMoves } from './tell-changes.ts';

export interface SignalsParts {
  readonly configuration: Configuration;
  readonly ports: Ports;
  readonly modules: Pick<GatewayModules, 'gateway' | 'execution'>;
  readonly callers: Callers;
  readonly dataDirectory: string;
  readonly log: Log;
  readonly stack: AsyncDisposableStack;
}

/** Hooks, and the signals that come in at them. */
export function composeSignals(parts: SignalsParts): {
  readonly hooks: Hooks;
  readonly signals: SignalInbox;
} {
  const { configuration, ports, modules, callers, dataDirectory, log, stack } = parts;
  const { gateway, execution } = modules;
  const common = { ...ports, log, keys: callers.list, brokers: configuration.brokers };
  const tell = (change: HookChange) => tellHookChange(change, { execution, log });
  const path = join(dataDirectory, 'hooks.json');
  const hooks = tellingHookMoves(createHooks({ ...common, path, tell }), { execution, log });
  const signals = createSignals({
    ...{ ...common, hooks, gateway, journal: execution.signals },
    read: createAlertReader(common),
    checkKey: ({ caller, mode }) => void liveCaller({ key: caller, mode }, common),
  });
  stack.use(signals);
  return { hooks, signals };
}
