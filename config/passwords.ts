import { availableParallelism } from 'node:os'
import env from '#start/env'
import limits from '#config/limits'

export default {
  /**
   * argon2id at the first set of parameters that the OWASP password storage cheat sheet
   * names: KiB of memory, passes, lanes.
   */
  argon2: { memoryCost: 19_456, timeCost: 2, parallelism: 1 },

  /** `composition`: the five rules of the specification. `length`: only how long it is (NIST 800-63B). */
  policy: env.get('PASSWORD_POLICY'),

  /** Code points. The upper bound keeps the work of a hash bounded. */
  minLength: 8,
  maxLength: limits.newPassword,

  /** Whether passwords that everybody guesses first are refused. */
  usesBlocklist: env.get('PASSWORD_BLOCKLIST') === 'on',

  /**
   * Hashes computed at once: one a core, and one more that a core takes up while the event loop
   * still answers for the last (docs/performance.md). `bin/launch.js` starts threads for them.
   */
  hashConcurrency: availableParallelism() + 1,
}
