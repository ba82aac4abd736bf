import { register } from './stored_users.ts'
import type { StoredKind } from './stored_kinds.ts'

const NO_TRAIL = 'The trail proves what one installation did: another has its own'

/** The chain of the trail, whichever keys it was sealed with. */
const auditChain: StoredKind = {
  kept: 'whole',
  async make(at) {
    await register(at)
    return async (elsewhere) => {
      const { code, stderr } = await elsewhere.run(['audit:verify', '--json'])
      return code === 0 ? 'whole' : stderr
    }
  },
}

/** The event of a registration, as administrators search for it and read it. */
function registration(filter: string): StoredKind {
  return {
    kept: 'from 127.0.0.1',
    imported: { outcome: 'no event', because: NO_TRAIL },
    async make(at) {
      const { id } = await register(at)
      return async (elsewhere) => {
        const query = `target=${id}&action=account.registered${filter}`
        const { data } = await elsewhere.asAdmin(`/audit-events?${query}`)
        return data.length === 0 ? 'no event' : `from ${data[0].ip}`
      }
    },
  }
}

export const TRAIL: Record<string, StoredKind> = {
  'chain of the audit trail': auditChain,
  'event whose address a key hides': registration(''),
  'event that a keyed hash of its address finds': registration('&ip=127.0.0.1'),
}
