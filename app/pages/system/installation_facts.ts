import db from '@adonisjs/lucid/services/db'
import type { I18n } from '@adonisjs/i18n'
import { lastBackupAt } from '#backup/last_backup'
import { appUrl, product } from '#config/app'
import store from '#auth/store/service'
import { findChain } from '#audit/chain/chain_state'
import { findSealLag } from '#audit/chain/unsealed'
import { listKeys } from '#auth/signing_keys/key_records'
import { formatDuration, formatNumber, relativeTime } from '#i18n/format'

const MINUTE_MS = 60_000

export async function readInstallation() {
  const client = db.connection()
  const [chain, sealLag, keys, backupAt] = await Promise.all([
    findChain(client),
    findSealLag(client),
    listKeys(),
    lastBackupAt(),
  ])
  return { sealed: chain?.sequence ?? 0, sealLag, keys, backupAt }
}

type Installation = Awaited<ReturnType<typeof readInstallation>>

interface Fact {
  label: string
  value: string
  path?: string
}

/** @param origin the address in the browser; null where it is unknown */
export function installationFacts(
  i18n: I18n,
  installation: Installation,
  origin: string | null
): Fact[] {
  const fact = (name: string, value: string, path?: string): Fact => ({
    label: i18n.t(`system.facts.${name}`),
    value,
    path,
  })
  return [
    fact('version', product),
    { label: 'Node.js', value: process.versions.node },
    fact('address', appUrl),
    ...(isElsewhere(origin) ? [fact('browser', i18n.t('system.elsewhere', { origin }))] : []),
    fact('database', db.connection().dialect.name === 'postgres' ? 'Postgres' : 'SQLite'),
    fact('store', store.driver === 'redis' ? 'Redis' : i18n.t('system.stores.database')),
    fact('running', formatDuration(i18n.locale, Math.max(MINUTE_MS, process.uptime() * 1_000))),
    fact('sealing', sealingOf(i18n, installation), '/admin/audit'),
    fact('keys', keysOf(i18n, installation), '/admin/keys'),
    fact('backup', backupOf(i18n, installation)),
  ]
}

/** Links in mails lead to `APP_URL`, wherever the administrator is. */
function isElsewhere(origin: string | null): origin is string {
  return origin !== null && origin !== new URL(appUrl).origin
}

function sealingOf(i18n: I18n, { sealed, sealLag }: Installation) {
  const values = { count: formatNumber(i18n.locale, sealed), seconds: Math.round(sealLag / 1_000) }
  return i18n.t('system.sealing', values)
}

function backupOf(i18n: I18n, { backupAt }: Installation) {
  if (backupAt === null) return i18n.t('system.backup_none')
  return relativeTime(i18n.locale, backupAt) ?? i18n.t('common.just_now')
}

/** Returns a text such as “ES256, 12 days old” for each key that signs. */
function keysOf(i18n: I18n, { keys }: Installation) {
  const signing = keys.filter(({ state }) => state === 'signing')
  if (signing.length === 0) return i18n.t('system.keys.none')
  const texts = signing.map(({ algorithm, signsFrom }) => {
    const age = formatDuration(i18n.locale, Math.max(MINUTE_MS, Date.now() - signsFrom))
    return i18n.t('system.keys.one', { algorithm, age })
  })
  return texts.join('; ')
}
