import { availableParallelism } from 'node:os'
import env from '#start/env'
import limits from '#config/limits'

export default {
  /** The OWASP password storage cheat sheet names these parameters of argon2id first. */
  argon2: { memoryCost: 19_456, timeCost: 2, parallelism: 1 },

  /** NIST 800-63B requires only a length. */
  policy: env.get('PASSWORD_POLICY'),

  /** The upper bound, in code points, limits the work of a hash. */
  minLength: 8,
  maxLength: limits.newPassword,

  usesBlocklist: env.get('PASSWORD_BLOCKLIST') === 'on',

  /** One hash more than cores: a core starts it while the event loop answers for the last one. */
  hashConcurrency: availableParallelism() + 1,
}
