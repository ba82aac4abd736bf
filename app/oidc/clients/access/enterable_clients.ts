import { listClients } from '#oidc/clients/client_list'
import { mayEnter, type Entering } from './may_enter.ts'

interface Page {
  cursor: string | null
  limit: number
}

/** Lists registered applications that the user may sign in to, by name. A page may be shorter. */
export async function listEnterableClients(user: Entering, page: Page) {
  const { clients, next } = await listClients(page)
  const enterable = clients.filter(
    (client) => client.grantTypes.includes('authorization_code') && mayEnter(client, user)
  )
  return { clients: enterable, next }
}
