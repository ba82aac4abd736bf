import { listClients } from '#oidc/clients/client_list'
import { mayAccess, type AccessSubject } from './may_access.ts'

interface Page {
  cursor: string | null
  limit: number
}

/** Lists registered applications that the user may sign in to, by name. A page may be shorter. */
export async function listAccessibleClients(user: AccessSubject, page: Page) {
  const { clients, next } = await listClients(page)
  const enterable = clients.filter(
    (client) => client.grantTypes.includes('authorization_code') && mayAccess(client, user)
  )
  return { clients: enterable, next }
}
