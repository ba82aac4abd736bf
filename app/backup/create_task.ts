import { sqliteFile } from '#config/database'
import { version } from '#config/app'
import { maintenanceConnection } from '#database/postgres_connection'
import env from '#start/env'
import { keyId } from '#auth/tokens/keyring'
import { findBackedUpFiles } from './backed_up_files.ts'
import { CARRIED_KEYRINGS } from './keyrings.ts'
import type { BackupOptions, BackupTask } from './create.ts'
import type { Manifest } from './archive/manifest.ts'
import type { SnapshotSource } from './snapshot/snapshot.ts'

/** Returns all that the worker needs, because it has no environment. */
export async function taskOf(
  output: string | null,
  { recipients = [], passphrase }: BackupOptions
): Promise<BackupTask> {
  const isEncrypted = recipients.length > 0 || passphrase !== undefined
  return {
    source: snapshotSource(),
    output,
    encryption: isEncrypted ? { recipients, passphrase } : null,
    version,
    keyrings: carriedKeyrings(isEncrypted),
    files: await findBackedUpFiles(),
  }
}

export function snapshotSource(): SnapshotSource {
  if (env.get('DB_CONNECTION') === 'sqlite') return { kind: 'sqlite', file: sqliteFile }
  return { kind: 'pg', connection: maintenanceConnection }
}

/** Only an encrypted archive carries secrets; their ids reveal nothing. */
function carriedKeyrings(isEncrypted: boolean) {
  const secrets = CARRIED_KEYRINGS.map((name) => [name, env.get(name)] as const)
  const ids = secrets.map(([name, entries]) => [name, entries.map(keyId)])
  return {
    ids: Object.fromEntries(ids) as Manifest['keyrings'],
    secrets: isEncrypted ? Object.fromEntries(secrets) : {},
  }
}
