import { spawnSync } from 'node:child_process'

const MOUNT = ['--mount', 'sh', '-c', 'mount -t cgroup2 none /sys/fs/cgroup']

/** Most containers forbid mounts, even to root. */
export const mayMount = spawnSync('unshare', MOUNT).status === 0

export const MOUNTS_FORBIDDEN = 'this machine lets no process mount, which a container needs'
