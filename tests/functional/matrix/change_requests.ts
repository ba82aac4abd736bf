import type { ApiClient, ApiResponse } from '@japa/api-client'
import type User from '#models/user'
import { someAddress } from '#tests/support/fixtures'

/** Who makes a change: their headers, and what they add to the body. */
export interface Prover {
  client: ApiClient
  user: User
  headers: Record<string, string>
  body: object
  /** The one in the body, where it proves the change. */
  backupCode?: string
}

export type Change = (prover: Prover) => Promise<ApiResponse>

export function send(
  method: 'delete' | 'patch' | 'post' | 'put',
  path: string,
  fields: object = {}
): Change {
  return async ({ client, headers, body }) =>
    client[method](path)
      .headers({ ...headers, 'x-forwarded-for': someAddress() })
      .json({ ...fields, ...body })
}
