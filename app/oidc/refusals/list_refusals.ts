import { describeRefusal } from './reasons.ts'
import { writeRefusals } from './pending_refusals.ts'
import { arrivingRefusals } from './record_refusal.ts'
import { selectRefusals, sumRefusals, type ListedRefusal } from './refusal_rows.ts'
import type { OAuthClient } from '#oidc/clients/client'

/** Requests that authenticated as the client, or came from an administrator, are listed first. */
export async function listRefusals({ id }: OAuthClient): Promise<ListedRefusal[]> {
  await flushRefusals()
  return selectRefusals(id, Date.now())
}

/** Counts the refused requests of each application. */
export async function countRefusals(clients: OAuthClient[]) {
  await flushRefusals()
  const ids = clients.map(({ id }) => id)
  return sumRefusals(ids, Date.now())
}

/** Call this before a list is read, and before the process ends. */
export async function flushRefusals() {
  await arrivingRefusals()
  await writeRefusals()
}

export async function refusalRecords(client: OAuthClient) {
  const lines = await listRefusals(client)
  return lines.map(({ isTrusted, firstAt, lastAt, ...line }) => {
    const { remedy, setting } = describeRefusal(line.reason, client)
    const times = {
      firstAt: new Date(firstAt).toISOString(),
      lastAt: new Date(lastAt).toISOString(),
    }
    return { ...line, ...times, remedy, setting }
  })
}

export type RefusalRecord = Awaited<ReturnType<typeof refusalRecords>>[number]
