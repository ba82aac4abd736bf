import { dirname, resolve } from 'node:path'
import { readSecretText, UnreadableText } from './read_text.ts'

/* A configuration file says where a secret is, and never contains it. */

/** The message says what is wrong with a source, and is shown after `secretFrom`. */
export class UnusableSecret extends Error {}

const FORM = 'must be env:NAME or file:/path/of/the/secret'

/** @param configuration the configuration file; a relative path starts at its folder */
export async function readSecret(from: unknown, configuration: string): Promise<string> {
  const [, kind, rest] = (typeof from === 'string' && /^(env|file):(.+)$/s.exec(from)) || []
  if (kind === 'env') return readVariable(rest)
  if (kind !== 'file') throw new UnusableSecret(FORM)
  const secret = await readFrom(resolve(dirname(configuration), rest))
  if (secret !== '') return secret
  throw new UnusableSecret('names a file that is empty: write the secret into it')
}

function readVariable(name: string) {
  if (!/^[A-Za-z_]\w{0,127}$/.test(name)) throw new UnusableSecret(FORM)
  const value = process.env[name]
  if (value) return value
  throw new UnusableSecret(`names the variable ${name}, which is not set: set it`)
}

async function readFrom(path: string) {
  try {
    return await readSecretText(path)
  } catch (error) {
    if (!(error instanceof UnreadableText)) throw error
    throw new UnusableSecret(`names a file that ${error.message}`)
  }
}
