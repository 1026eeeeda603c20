import { describe, expect, it } from 'vitest';
import { furtherSettings, gatewayEnvironment, portsFrom } from '../../../sandbox/demo/settings.ts';

const environmentOf = (
  environment: Record<string, string | undefined>,
  further: Record<string, string> = {},
) =>
  gatewayEnvironment({
    ports: { gateway: 1, postback: 2 },
    dataDirectory: '/tmp/demo',
    sandbox: {
      kiteOrigin: 'http://k',
      tickerUrl: 'ws://k/ws',
      primaryOrigin: 'http://p',
      controlOrigin: 'http://c',
    },
    ...{ further, environment },
  });

describe('the settings of the demo', () => {
  it('leave out those of a real gateway in the shell', () => {
    const made = environmentOf({
      ...{ PATH: '/bin', APP_ALT_BROKER_ACCESS_TOKEN: 'real', APP_DATA_DIR: '/real' },
      ...{ APP_ALT_BROKER_API_ROOT: 'https://real', APP_LOG_LEVEL: 'info', APP_OTHER: 'x' },
    });
    expect(made).toMatchObject({ PATH: '/bin', APP_DATA_DIR: '/tmp/demo', APP_LOG_LEVEL: 'info' });
    expect(made).toMatchObject({ APP_ALT_BROKER_API_ROOT: 'http://k', APP_PORT: '1' });
    expect(Object.keys(made).filter((name) => /ACCESS_TOKEN|OTHER/.test(name))).toEqual([
      'APP_PRIMARY_ACCESS_TOKEN',
    ]);
  });

  it('take further ones, but none that connects its parts', () => {
    const route = { APP_ROUTE_TRADING: 'alt,paper' };
    expect(environmentOf({}, route)).toMatchObject(route);
    for (const name of ['APP_DATA_DIR', 'APP_ALT_BROKER_API_ROOT', 'APP_CONFIG_FILE']) {
      expect(() => environmentOf({}, { [name]: 'x' })).toThrow(`${name} is set by the demo`);
    }
    expect(environmentOf({}, { APP_MARKET_HOURS: 'exchange' })).toMatchObject({
      APP_MARKET_HOURS: 'exchange',
    });
  });

  it('are read from the command line, and what is none is refused', () => {
    expect(furtherSettings(['APP_A=b=c', 'APP_B='])).toEqual({ APP_A: 'b=c', APP_B: '' });
    for (const wrong of ['nonsense', 'PATH=/bin', 'app_port=1', '--browser']) {
      expect(() => furtherSettings([wrong])).toThrow(`"${wrong}" is not a setting`);
    }
  });

  it('name the ports, which the shell may move', () => {
    expect(portsFrom({})).toMatchObject({ gateway: 8420, postback: 8421, control: 8432 });
    expect(portsFrom({ APP_PORT: '9000', APP_POSTBACK_PORT: '' })).toMatchObject({
      ...{ gateway: 9000, postback: 8421 },
    });
    expect(() => portsFrom({ APP_PORT: '0' })).toThrow('APP_PORT is "0": it must be a port');
  });
});
