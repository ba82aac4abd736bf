import { resolve } from 'node:path'
import env from '#start/env'
import db from '@adonisjs/lucid/services/db'
import logger from '@adonisjs/core/services/logger'
import { SYSTEM } from '#audit/actor'
import { hasRecordsOfStart } from '#configuration/managed_rows'

/** Releases records of an earlier start if `CONFIG_FILES` no longer names their file. */
export async function applyAtStart() {
  const paths = env.get('CONFIG_FILES').map((path) => resolve(path))
  if (paths.length === 0 && !(await hasRecordsOfStart(db.connection()))) return
  const { applyConfiguration } = await import('./apply.ts')
  const { changes, managed } = await applyConfiguration(paths, { actor: SYSTEM, isAtStart: true })
  logger.info({ files: paths, changes: changes.length, managed }, 'configuration files are applied')
}
