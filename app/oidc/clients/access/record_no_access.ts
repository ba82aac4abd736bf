import { recordCoalesced } from '#events/record'
import type { Actor } from '#audit/actor'
import type { Client } from 'oidc-provider'

/** Records repeated refusals together, because an application may ask again and again. */
export async function recordNoAccess({ clientId, clientName }: Client, actor: Actor) {
  const details = { clientId, client: clientName }
  const event = { type: 'application.refused', outcome: 'failure', actor, details } as const
  await recordCoalesced({ ...event, user: { id: actor.id! } }, [actor.id!, clientId])
}
