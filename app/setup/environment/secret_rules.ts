import { list, type Rule } from './rules.ts'

/** Values of tutorials and sample files: an attacker who knows them can sign tokens. */
const SAMPLE_SECRET =
  /change.?me|your.*secret|secret.*key|example|sample|default|password|insert.*here|^(.)\1*$/i

/** HS256 keys have at least 256 bits (RFC 7518, section 3.2); shorter ones can be guessed offline. */
const MINIMUM_SECRET_BYTES = 32

/** The first secret signs and encrypts, all verify and decrypt, so that tokens outlive a rotation. */
export function keyring(): Rule<string[]> {
  return (name, value) => {
    const secrets = list()(name, value)
    if (secrets.length === 0) {
      throw new Error(`${name} is required: set at least one random secret of 32 bytes or more`)
    }
    secrets.forEach((secret, index) => assertStrong(name, secret, index))
    if (new Set(secrets).size !== secrets.length) {
      throw new Error(`${name} holds the same secret twice: each must be different`)
    }
    return secrets
  }
}

function assertStrong(name: string, secret: string, index: number) {
  const position = `entry ${index + 1}`
  if (Buffer.byteLength(secret) < MINIMUM_SECRET_BYTES) {
    throw new Error(`${name}: ${position} is shorter than ${MINIMUM_SECRET_BYTES} bytes`)
  }
  if (SAMPLE_SECRET.test(secret)) {
    throw new Error(`${name}: ${position} is a sample value: use \`openssl rand -base64 48\``)
  }
}
