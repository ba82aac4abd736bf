/* Sends the answer on, as the button does. */
document.getElementById('answer').submit()
