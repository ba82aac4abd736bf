import { randomUUID } from 'node:crypto'
import type { StoredKind } from './stored_kinds.ts'

const NO_WEBHOOKS = 'An export has users, and what other systems learn is a setting'

const endpoint: StoredKind = {
  kept: 'user.*',
  imported: { outcome: 'no webhook', because: NO_WEBHOOKS },
  async make(at) {
    const body = { url: `https://receiver.example.org/${randomUUID()}`, events: ['user.*'] }
    const { id } = await at.asAdmin('/webhooks', { body })
    return async (elsewhere) => {
      const found = await elsewhere.asAdmin(`/webhooks/${id}`).catch(() => null)
      return found?.url === body.url ? found.events.join(' ') : 'no webhook'
    }
  },
}

export const WEBHOOKS: Record<string, StoredKind> = { webhook: endpoint }
