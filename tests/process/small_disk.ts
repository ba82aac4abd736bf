import { spawnSync } from 'node:child_process'
import { rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { temporaryFolder } from '#tests/support/temporary_folder'

function mountAt(folder: string, options: string) {
  return spawnSync('mount', ['-t', 'tmpfs', '-o', options, 'tmpfs', folder]).status === 0
}

export const DISKS_FORBIDDEN = 'a small disk is mounted, which only root may do'

/** A disk of a few megabytes, mounted on a folder. Only root may mount it. */
export class SmallDisk {
  constructor(
    readonly folder: string,
    size: string
  ) {
    if (!mountAt(folder, `size=${size}`)) throw new Error(`No disk was mounted on ${folder}`)
  }

  static isAllowed() {
    const folder = temporaryFolder('disk')
    const isMounted = mountAt(folder, 'size=16k')
    if (isMounted) spawnSync('umount', [folder])
    rmSync(folder, { recursive: true })
    return isMounted
  }

  /** Writes until nothing fits any more. @returns the file that takes the space */
  fill() {
    const ballast = join(this.folder, 'ballast')
    for (const bytes of [1_048_576, 4_096, 1]) fillWith(ballast, Buffer.alloc(bytes))
    return ballast
  }

  resize(size: string) {
    spawnSync('mount', ['-o', `remount,size=${size}`, this.folder])
  }

  /** Unmounts the disk even if files are open. */
  remove() {
    spawnSync('umount', ['-l', this.folder])
  }
}

function fillWith(file: string, part: Buffer) {
  try {
    for (;;) writeFileSync(file, part, { flag: 'a' })
  } catch (error) {
    if (error.code !== 'ENOSPC') throw error
  }
}
