import { isSecretSetting } from '#settings/values/definitions'
import { mailServerOf, serverName } from '#settings/values/mail_server'
import { decryptSettingSecret, encryptSecret, settingPurpose } from '#settings/values/secrets'
import type { Changes } from './read_changes.ts'
import type { SettingRow } from '#settings/values/setting_rows'

/** Keeps the stored row of a secret that is sent again with the same value. */
export function applyChanges(changes: Changes, before: SettingRow[]): SettingRow[] {
  const kept = before.filter(({ key }) => !changes.has(key as never))
  const plain = [...changes].filter(([key, text]) => text !== null && !isSecretSetting(key))
  const after = [...kept, ...plain.map(([key, text]) => newRow(key, text!))]
  const { host, port } = mailServerOf(after)
  for (const [key, text] of changes) {
    if (text === null || !isSecretSetting(key)) continue
    const known = before.find((row) => row.key === key)
    const isSame = known && decryptSettingSecret(known, serverName(host, port)) === text
    const sealed = () => encryptSecret(text, serverName(host, port), settingPurpose(key))
    after.push(isSame ? known : newRow(key, sealed(), true))
  }
  return after
}

function newRow(key: string, value: string, encrypted = false): SettingRow {
  return { key, value, encrypted, version: '', updatedAt: Date.now() }
}
