/* Requests wake the dispatcher without loading it. */

let wake = () => {}

export function onWake(listener: () => void) {
  wake = listener
}

export function wakeDispatcher() {
  wake()
}
