import type { ChildProcess } from 'node:child_process'

/*
 | Japa runs no teardown of a group whose set-up failed. A process that the set-up had started would
 | keep the run from ending.
 */

const running = new Set<ChildProcess>()

export function endWithSuite<Child extends ChildProcess>(child: Child): Child {
  running.add(child)
  child.once('exit', () => running.delete(child))
  return child
}

/** Ends the processes of a suite whose groups have ended. */
export function endChildren() {
  for (const child of running) child.kill('SIGKILL')
}
