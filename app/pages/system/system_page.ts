import type { I18n } from '@adonisjs/i18n'
import { version } from '#config/app'
import { heavyDiagnoses, KEPT_MS, recentDiagnoses } from '#health/recent_diagnoses'
import { shared } from '#health/shared_result'
import { findOutboundPause } from '#backup/outbound_pause'
import { liveProcesses } from '#processes/live_processes'
import { countQueues } from '#queue/queue_counts'
import { countPendingDeliveries } from '#webhooks/deliveries/pending_counts'
import { releasesAfter } from './changelog.ts'
import { checkRows, verdictOf } from './check_rows.ts'
import { installationFacts, readInstallation } from './installation_facts.ts'
import { queueRows } from './queue_rows.ts'

/** Many readers and reloads share one reading of the tables. */
const systemState = shared(async () => {
  const [jobs, deliveries, installation, processes] = await Promise.all([
    countQueues(),
    countPendingDeliveries(),
    readInstallation(),
    liveProcesses(),
  ])
  return { queues: { jobs, deliveries }, installation, processes }
}, KEPT_MS)

/** @param origin the address in the browser */
export async function systemPage(i18n: I18n, origin: string | null = null) {
  const [{ diagnoses, checkedAt }, heavy, state] = await Promise.all([
    recentDiagnoses(),
    heavyDiagnoses(),
    systemState(),
  ])
  const { queues, installation, processes } = state
  const other = processes.find((each) => each.version !== version)
  const rows = checkRows(i18n, [...diagnoses, ...heavy])
  return {
    checkedAt,
    verdict: verdictOf(i18n, rows),
    problems: rows.filter(({ kind }) => kind !== 'good'),
    passed: rows.filter(({ kind }) => kind === 'good'),
    queues: queueRows(i18n, queues),
    facts: installationFacts(i18n, installation, origin),
    processes: processes.map((each) => ({ ...each, isOther: each.version !== version })),
    pause: await findOutboundPause(),
    releases: releasesAfter(other?.version ?? version, version),
  }
}
