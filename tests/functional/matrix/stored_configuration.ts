import { randomUUID } from 'node:crypto'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { StoredKind } from './stored_kinds.ts'

const NO_FILES = 'An export has users, and files are applied at the other installation'

/** What a file manages stays locked after the file is gone. */
const managedGroup: StoredKind = {
  kept: 'E_MANAGED',
  imported: { outcome: 'E_NOT_FOUND', because: NO_FILES },
  async make(at) {
    const name = `Managed ${randomUUID()}`
    const file = join(at.dataDir, `${randomUUID()}.yaml`)
    await writeFile(file, `groups: [{ name: ${name}, title: Staff }]`)
    await at.command(['config:apply', file])
    const { json } = await at.command(['group:show', name, '--json'])
    const { id } = json()
    return async (elsewhere) => {
      const token = await elsewhere.adminToken()
      const request = { method: 'PUT', body: { title: 'Other' }, token }
      const { status, body } = await elsewhere.product.request(`/groups/${id}`, request)
      return body?.code ?? `${status}`
    }
  },
}

export const CONFIGURATION: Record<string, StoredKind> = {
  'group that a file manages': managedGroup,
}
