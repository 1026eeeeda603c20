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

  it.each(['--help', '-h'])('prints with %s what there is', (argument) => {
    const command = readCommand([argument]);
    expect(command.kind === 'print' && command.text).toContain('--version');
  });

  it.each(['--version', '-v'])('prints with %s the version', (argument) => {
    expect(readCommand([argument])).toEqual({ kind: 'print', text: packageJson.version });
  });

  it.each(['--port', '--help=yes', 'start', '-x'])('refuses %s', (argument) => {
    expect(() => readCommand([argument])).toThrow(ConfigurationError);
    expect(() => readCommand([argument])).toThrow('--help or --version');
  });
});
