import type { ApiClient, ApiResponse } from '@japa/api-client'
import type User from '#models/user'
import { someAddress } from '#tests/support/fixtures'

/** The caller of a change: their headers, and the fields that they add to the body. */
export interface Prover {
  client: ApiClient
  user: User
  headers: Record<string, string>
  body: object
  /** The backup code in the body, if it proves the change. */
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
