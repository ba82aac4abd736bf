import { statfs } from 'node:fs/promises'
import { resolve } from 'node:path'
import { BaseCheck, Result } from '@adonisjs/core/health'
import env from '#start/env'

const MIN_FREE_MB = 512

export class DiskSpaceCheck extends BaseCheck {
  name = 'disk'

  async run() {
    const { bavail, bsize } = await statfs(resolve(env.get('DATA_DIR')))
    const free = Math.round((bavail * bsize) / 1_048_576)
    if (free >= MIN_FREE_MB) return Result.ok(`${free} MB free`)
    return Result.failed(`${free} MB free`).setMetaData({ remedy: 'Make room where DATA_DIR is.' })
  }
}
