import { execFileSync } from 'node:child_process'
import { chownSync, rmSync, statfsSync } from 'node:fs'
import { unprivileged } from '#tests/servers/postgres'
import { until } from '#tests/support/waiting'
import { temporaryFolder } from '#tests/support/temporary_folder'

/** A disk in memory that can be full. Only root may mount one. */
export class Disk {
  readonly folder = temporaryFolder('disk')

  private constructor() {
    execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=2g', 'tmpfs', this.folder])
    const { uid, gid } = unprivileged()
    if (uid !== undefined && gid !== undefined) chownSync(this.folder, uid, gid)
  }

  static mount() {
    return process.getuid?.() === 0 ? new Disk() : null
  }

  /** Leaves no free space. If something is written at the same time, it tries again. */
  fill() {
    return until(() => {
      const { blocks, bfree, bsize } = statfsSync(this.folder)
      return this.#resize(`${(blocks - bfree) * bsize}`)
    })
  }

  free() {
    this.#resize('2g')
  }

  #resize(size: string) {
    try {
      execFileSync('mount', ['-o', `remount,size=${size}`, this.folder], { stdio: 'pipe' })
      return true
    } catch {
      return false
    }
  }

  remove() {
    execFileSync('umount', [this.folder])
    rmSync(this.folder, { recursive: true, force: true })
  }
}
