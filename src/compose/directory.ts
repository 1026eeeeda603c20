import type { Broker, InstrumentSource } from '../domain/ports.ts';
import { createInstrumentDirectory, type InstrumentDirectory } from '../instruments/directory.ts';
import { createKeptLists } from '../instruments/kept-lists.ts';
import type { Log } from '../platform/log.ts';
import type { ConfiguredBrokers } from './brokers.ts';
import type { Ports } from './ports.ts';

/** The instrument lists of all brokers that have one, as one directory. */
export function composeDirectory(
  brokers: readonly Broker[],
  { view }: Pick<ConfiguredBrokers, 'view'>,
  parts: { readonly ports: Ports; readonly dataDirectory: string; readonly log: Log },
): InstrumentDirectory {
  const { ports, dataDirectory, log } = parts;
  const sources = sourcesOf(brokers);
  return createInstrumentDirectory({
    ...ports,
    log,
    sources,
    blocked: (source) => view(source.broker).blocked?.reason ?? null,
    kept: createKeptLists({
      files: ports.files,
      directory: dataDirectory,
      addressOf: (broker) => sources.find((source) => source.broker === broker)?.address ?? '',
      log,
    }),
  });
}

/** A list that needs no daily login is there first, and names everything. */
function sourcesOf(brokers: readonly Broker[]): readonly InstrumentSource[] {
  const withLogin = brokers.filter(({ login }) => login !== undefined);
  const without = brokers.filter(({ login }) => login === undefined);
  return [...without, ...withLogin].flatMap(({ instruments }) => instruments ?? []);
}
