import { describe, expect, it } from 'vitest';
import { CANARY, load, refusal } from './support/load.ts';

const withFile = (content: unknown, open = false) =>
  [
    { APP_CONFIG_FILE: 'gateway.json' },
    { 'gateway.json': { content: JSON.stringify(content), open } },
  ] as const;

describe('the configuration file', () => {
  it('supplies settings that the environment does not have', () => {
    const [environment, files] = withFile({
      APP_PORT: 9000,
      APP_HOST: 'localhost',
      APP_ROUTE_TRADING: ['primary', 'paper'],
      APP_PAPER_ON_OUTAGE: true,
      APP_LOG_LEVEL: null,
    });
    const { settings } = load({ ...environment, APP_HOST: '127.0.0.1', APP_PORT: '' }, files);
    expect(settings.server).toMatchObject({ port: 9000, host: '127.0.0.1', logLevel: 'info' });
    expect(settings.routing).toMatchObject({ trading: ['primary', 'paper'], paperOnOutage: true });
  });

  it('is the fourth level of the token, after the environment', () => {
    const [environment, files] = withFile({ APP_ALT_BROKER_ACCESS_TOKEN: 'from-file' });
    const { secrets } = load({ ...environment, APP_ALT_BROKER_ACCESS_TOKEN: 'from-env' }, files);
    expect(secrets.altAccessToken.environment?.reveal()).toBe('from-env');
    expect(secrets.altAccessToken.configuration?.reveal()).toBe('from-file');
  });

  it('is refused when it holds a secret that others can read', () => {
    const message = refusal(...withFile({ APP_ALT_BROKER_API_SECRET: CANARY }, true));
    expect(message).toContain('APP_CONFIG_FILE');
    expect(message).toContain('chmod 600');
    expect(message).not.toContain(CANARY);
  });

  it('may be readable by others as long as it holds no secret', () => {
    expect(load(...withFile({ APP_PORT: 9000 }, true)).settings.server.port).toBe(9000);
  });

  it('is refused when it does not exist', () => {
    expect(refusal({ APP_CONFIG_FILE: 'gone.json' })).toContain('a file that exists');
  });

  it.each([`{"APP_API_KEY": "${CANARY}`, `["${CANARY}"]`, 'null'])(
    'is refused, without quoting it, when it is not one JSON object: %s',
    (content) => {
      const message = refusal({ APP_CONFIG_FILE: 'a.json' }, { 'a.json': { content } });
      expect(message).toContain('one JSON object');
      expect(message).not.toContain(CANARY);
    },
  );

  it('is refused with the name of a setting whose value is neither text, number, boolean nor list', () => {
    expect(refusal(...withFile({ APP_PORT: { a: 1 } }))).toContain('APP_PORT');
  });

  it('causes a warning for unknown names', () => {
    const { warnings } = load(...withFile({ PORT: 1, APP_CONFIG_FILE: 'other.json' }));
    expect(warnings.join()).toContain('"PORT" in the configuration file');
    expect(warnings.join()).toContain('"APP_CONFIG_FILE" in the configuration file');
  });
});
