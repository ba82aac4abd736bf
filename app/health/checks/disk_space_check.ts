import { statfs } from 'node:fs/promises'
import { resolve } from 'node:path'
import { BaseCheck } from '@adonisjs/core/health'
import env from '#start/env'
import { failed, passed } from '#health/check_result'
import { sentence } from '#i18n/sentences'

const MIN_FREE_MB = 512

export class DiskSpaceCheck extends BaseCheck {
  name = 'disk'

  async run() {
    const folder = resolve(env.get('DATA_DIR'))
    const { bavail, bsize } = await statfs(folder)
    const free = Math.round((bavail * bsize) / 1_048_576)
    if (free >= MIN_FREE_MB) return passed(sentence('disk.good', { free }))
    const finding = sentence('disk.full', { free, folder })
    return failed(finding, sentence('disk.remedy', { least: MIN_FREE_MB }))
  }
}
