// Seeds that failed once, and what they showed.

export const corpus = Object.freeze([
  // A delayed connection in a mode that is not active: its value came if no other reactor changed its mode meanwhile.
  198,
  11243, 11342,
  // Events that came back with their mode piled up in another order than they were scheduled in.
  956, 3653,
  // A watchdog that expires at the next microstep was not stopped.
  101591, 104078,
  // Reactors that mutations make, plug in and delete at one tag.
  100165, 101545,
  // A mutation that makes its own trigger present ran twice at the tag.
  106089, 111127,
  // A mutation whose output shares a slot with what it reads was a cycle with itself.
  203931,
]);
