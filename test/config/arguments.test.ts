import { describe, expect, it } from 'vitest';
import packageJson from '../../package.json' with { type: 'json' };
import { readCommand } from '../../src/config/arguments.ts';
import { ConfigurationError } from '../../src/config/configuration-error.ts';

describe('the command line', () => {
  it('without arguments starts the gateway', () => {
    expect(readCommand([])).toEqual({ kind: 'start' });
  });

  it('mcp connects an assistant, and nothing may follow it', () => {
    expect(readCommand(['mcp'])).toEqual({ kind: 'assistant' });
    expect(() => readCommand(['mcp', 'now'])).toThrow(/got mcp now; it takes/);
  });

  it.each(['backup', 'restore', 'upgrade'] as const)(
    '%s takes one directory, and --json',
    (kind) => {
      expect(readCommand([kind, 'there'])).toEqual({ kind, directory: 'there' });
      expect(readCommand([kind, 'there', '--json'])).toEqual({
        kind,
        directory: 'there',
        json: true,
      });
      expect(() => readCommand([kind])).toThrow(ConfigurationError);
      expect(() => readCommand([kind, 'here', 'there'])).toThrow(ConfigurationError);
    },
  );

  it.each(['--help', '-h'])('prints with %s what there is', (argument) => {
    const command = readCommand([argument]);
    expect(command.kind === 'print' && command.text).toContain('--version');
  });

  it.each(['keys', 'backup', 'restore', 'upgrade', 'mcp'])(
    '%s --help prints its own page',
    (name) => {
      const command = readCommand([name, '--help']);
      expect(command.kind === 'print' && command.text).toContain(`altbroker-gateway ${name}`);
    },
  );

  it.each(['--version', '-v'])('prints with %s the version', (argument) => {
    expect(readCommand([argument])).toEqual({ kind: 'print', text: packageJson.version });
  });

  it.each([
    [['keys', 'list'], { action: 'list' }],
    [['keys', 'list', '--json'], { action: 'list', json: true }],
    [['keys', 'rotate', 'key_1'], { action: 'rotate', id: 'key_1' }],
    [['keys', 'revoke', 'key_1'], { action: 'revoke', id: 'key_1' }],
    [['keys', 'release', 'key_1'], { action: 'release', id: 'key_1' }],
    [['keys', 'stop', 'key_1', '--reason', 'a b'], { action: 'stop', id: 'key_1', reason: 'a b' }],
    [['keys', 'limits', 'key_1'], { action: 'limits', id: 'key_1', limits: {} }],
    [
      ['keys', 'limits', 'key_1', '--max-open-orders', '4', '--max-daily-loss', '10'],
      {
        ...{ action: 'limits', id: 'key_1' },
        limits: { 'max-open-orders': '4', 'max-daily-loss': '10' },
      },
    ],
    [
      ['keys', 'add', 'a b', '--scope', 'trade', '--mode', 'paper'],
      { action: 'add', name: 'a b', scope: 'trade', broker: null, mode: 'paper' },
    ],
  ])('reads %j', (args, command) => {
    expect(readCommand(args)).toEqual({ kind: 'keys', ...command });
  });

  it.each([
    ['keys'],
    ['keys', 'list', 'all'],
    ['keys', 'add', 'name'],
    ['keys', 'add', '--scope', 'read'],
    ['keys', 'revoke'],
    ['keys', 'revoke', 'key_1', 'key_2'],
    ['keys', 'revoke', 'key_1', '--scope', 'read'],
    ['keys', 'stop', 'key_1'],
    ['keys', 'release', 'key_1', '--reason', 'x'],
    ['keys', 'limits', 'key_1', '--reason', 'x'],
    ['keys', 'add', 'name', '--scope', 'read', '--max-daily-loss', '1'],
    ['--scope', 'read'],
    ['--json'],
    ['mcp', '--json'],
    ['backup', 'there', '--mode', 'paper'],
  ])('refuses %s %s %s %s', (...args) => {
    expect(() => readCommand(args)).toThrow(ConfigurationError);
  });

  it.each(['--port', '--help=yes', 'start', '-x'])('refuses %s', (argument) => {
    expect(() => readCommand([argument])).toThrow(ConfigurationError);
    expect(() => readCommand([argument])).toThrow('--help or --version');
  });
});
