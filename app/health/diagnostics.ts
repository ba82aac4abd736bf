import type { BaseCheck } from '@adonisjs/core/health'
import { explainFailure } from './check_failures.ts'
import { failed, type CheckResult } from './check_result.ts'
import { AuditTrailCheck } from './checks/audit_trail_check.ts'
import { ApiKeysCheck } from './checks/api_keys_check.ts'
import { BackupCheck } from './checks/backup_check.ts'
import { ClockCheck } from './checks/clock_check.ts'
import { ConfigurationCheck } from './checks/configuration_check.ts'
import { DatabaseCheck } from './checks/database_check.ts'
import { DiskSpaceCheck } from './checks/disk_space_check.ts'
import { FilesCheck } from './checks/files_check.ts'
import { HashingCheck } from './checks/hashing_check.ts'
import { MailCheck } from './checks/mail_check.ts'
import { MigrationsCheck } from './checks/migrations_check.ts'
import { OutboundCheck } from './checks/outbound_check.ts'
import { PasskeysCheck } from './checks/passkeys_check.ts'
import { ProcessesCheck } from './checks/processes_check.ts'
import { ProxiesCheck } from './checks/proxies_check.ts'
import { SearchIndexCheck } from './checks/search_index_check.ts'
import { SecondFactorsCheck } from './checks/second_factors_check.ts'
import { SecretsCheck } from './checks/secrets_check.ts'
import { SignInsCheck } from './checks/sign_ins_check.ts'
import { SigningKeysCheck } from './checks/signing_keys_check.ts'
import { SettingsCheck } from './checks/settings_check.ts'
import { TokenStoreCheck } from './checks/token_store_check.ts'
import { VersionCheck } from './checks/version_check.ts'
import { WebhooksCheck } from './checks/webhooks_check.ts'

export interface Check extends BaseCheck {
  run(): Promise<CheckResult>
}

const CHECKS: Check[] = [
  new VersionCheck(),
  new ConfigurationCheck(),
  new SettingsCheck(),
  new ProxiesCheck(),
  new PasskeysCheck(),
  new SecretsCheck(),
  new FilesCheck(),
  new DatabaseCheck(),
  new MigrationsCheck(),
  new ProcessesCheck(),
  new SigningKeysCheck(),
  new ApiKeysCheck(),
  new SecondFactorsCheck(),
  new SignInsCheck(),
  new SearchIndexCheck(),
  new AuditTrailCheck(),
  new WebhooksCheck(),
  new ClockCheck(),
  new TokenStoreCheck(),
  new MailCheck(),
  new OutboundCheck(),
  new DiskSpaceCheck(),
  new BackupCheck(),
  new HashingCheck(),
]

/** These checks read every file or second factor, or keep every core busy. */
const HEAVY = new Set(['files', 'second factors', 'hashing'])

export const HEAVY_CHECKS = CHECKS.filter(({ name }) => HEAVY.has(name))
export const LIGHT_CHECKS = CHECKS.filter(({ name }) => !HEAVY.has(name))

export type Diagnosis = CheckResult & { name: string }

/**
 * Runs the checks one by one, unlike `HealthChecks`: the hashing check keeps every core busy and
 * would distort the others.
 */
export async function* runDiagnostics(): AsyncGenerator<Diagnosis> {
  for (const check of CHECKS) yield runCheck(check)
}

export async function runCheck(check: Check): Promise<Diagnosis> {
  const result = await check.run().catch((error) => explained(check.name, error))
  return { name: check.name, ...result }
}

function explained(check: string, error: Error) {
  const { finding, remedy } = explainFailure(check, error)
  return failed(finding, remedy)
}
