import { CLIENT_FIELDS, FIELD_NAMES, mapFields, type FieldType } from './client_fields.ts'
import type { ClientSettings, OAuthClient } from './client.ts'

const JSON_TYPES = new Set<FieldType['type']>(['uris', 'choices', 'keys', 'claims'])

/**
 * @param names of groups by id: the row contains ids, so that another name changes one row. It may
 * also contain ids of deleted groups, which give no access
 */
export function toClient(row: any, names = new Map<string, string>()): OAuthClient {
  const settings = mapFields((_, { type, column }) => readColumn(type, row[column]))
  const ids = groupIdsOf(row)
  const allowedGroupIds = ids.filter((id) => names.has(id))
  return {
    ...(settings as unknown as ClientSettings),
    allowedGroupIds,
    deletedGroupIds: ids.filter((id) => !names.has(id)),
    allowedGroups: allowedGroupIds.map((id) => names.get(id)!),
    id: row.id,
    clientId: row.client_id,
    logo: row.logo,
    secretHash: row.secret_hash,
    previousSecretHash: row.former_secret_hash,
    previousSecretUntil: row.former_secret_until === null ? null : Number(row.former_secret_until),
    secretDigest: row.secret_digest,
    createdAt: Number(row.created_at),
    updatedAt: Number(row.updated_at),
  }
}

export function groupIdsOf(row: any): string[] {
  return JSON.parse(row.allowed_groups)
}

/** SQLite stores booleans as numbers. */
function readColumn(type: FieldType['type'], value: any) {
  if (type === 'switch') return Boolean(value)
  return JSON_TYPES.has(type) && value !== null ? JSON.parse(value) : value
}

export function toRow(client: OAuthClient) {
  const settings = FIELD_NAMES.map((name) => {
    const { column, type } = CLIENT_FIELDS[name]
    return [column, writeColumn(type, client[name])]
  })
  return {
    ...Object.fromEntries(settings),
    allowed_groups: JSON.stringify([...client.allowedGroupIds, ...client.deletedGroupIds]),
    id: client.id,
    client_id: client.clientId,
    logo: client.logo,
    secret_hash: client.secretHash,
    former_secret_hash: client.previousSecretHash,
    former_secret_until: client.previousSecretUntil,
    secret_digest: client.secretDigest,
    created_at: client.createdAt,
    updated_at: client.updatedAt,
  }
}

function writeColumn(type: FieldType['type'], value: unknown) {
  return JSON_TYPES.has(type) && value !== null ? JSON.stringify(value) : value
}
