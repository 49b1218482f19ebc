/** What is to happen after a round: the next one is due in so many milliseconds (null: when something asks for it). */
export interface Rest {
  dueIn: number | null
  /** Whether to find out every so many milliseconds if the service answers again, and play the next round then; null: no. */
  probeMs: number | null
}

export interface Until {
  /** Nothing more is to be sent. */
  isHalted(): boolean
  /** Nor does it matter any more how the round ends. */
  isStopped(): boolean
}

export interface SchedulerDeps {
  /** Plays one round. Never rejects. */
  play(until: Until): Promise<void>
  /** How to rest now. */
  rest(): Rest
  /** Whether the service answers again. */
  probe(): Promise<boolean>
  /** Whether the user wants nothing sent or read until told, but for what is asked for by hand. */
  isHeld(): boolean
  /** Called when rounds begin and end. */
  announce(): void
}

/** Decides when rounds are played. They are never two at once: whoever asks while one is running gets one more. */
export interface Scheduler {
  start(): void
  /** Resolves when the round under way has ended; none begins afterwards. */
  stop(): Promise<void>
  /** Plays rounds until nothing more is wanted. `isAsked`: by the user, so also while held. */
  request(isAsked: boolean): Promise<void>
  /** Rests anew: how long has changed. */
  rearm(): void
  isRunning(): boolean
}

interface Running {
  is: 'running'
  isWanted: boolean
  isAsked: boolean
}
type Activity = { is: 'stopped' } | { is: 'resting'; timer: ReturnType<typeof setTimeout> | null } | Running

export function createScheduler({ play, rest, probe, isHeld, announce }: SchedulerDeps): Scheduler {
  let activity: Activity = { is: 'stopped' }
  /** Rounds that were begun and have not ended; null: none. Those of a new start wait for those that a stop is ending. */
  let playing: Promise<void> | null = null

  async function playWanted(running: Running): Promise<void> {
    const isStopped = (): boolean => activity !== running
    const isHalted = (): boolean => isStopped() || (isHeld() && !running.isAsked)
    while (running.isWanted && !isHalted()) {
      running.isWanted = false
      announce()
      await play({ isHalted, isStopped })
    }
    if (!isStopped()) rearm()
    announce()
  }

  function request(isAsked: boolean): Promise<void> {
    if (activity.is === 'running') {
      activity.isWanted = true
      activity.isAsked ||= isAsked
    } else if (activity.is === 'resting' && (isAsked || !isHeld())) {
      clearTimeout(activity.timer ?? undefined)
      const running: Running = { is: 'running', isWanted: true, isAsked }
      activity = running
      const rounds = playing === null ? playWanted(running) : playing.then(() => playWanted(running))
      playing = rounds
      void rounds.finally(() => {
        if (playing === rounds) playing = null
      })
    }
    return playing ?? Promise.resolve()
  }

  function rearm(): void {
    if (activity.is === 'resting') clearTimeout(activity.timer ?? undefined)
    const { dueIn, probeMs } = rest()
    if (dueIn === null) activity = { is: 'resting', timer: null }
    else {
      const probes = probeMs !== null && dueIn > probeMs
      const timer = setTimeout(() => void (probes ? playWhenBack() : request(false)), probes ? probeMs : dueIn)
      timer.unref()
      activity = { is: 'resting', timer }
    }
  }

  async function playWhenBack(): Promise<void> {
    const resting = activity
    const isBack = await probe()
    if (activity !== resting) return
    if (isBack) void request(false)
    else rearm()
  }

  return {
    start() {
      if (activity.is === 'stopped') activity = { is: 'resting', timer: null }
      void request(false)
    },
    async stop() {
      if (activity.is === 'resting') clearTimeout(activity.timer ?? undefined)
      activity = { is: 'stopped' }
      await playing
    },
    request,
    rearm() {
      if (activity.is === 'resting') rearm()
    },
    isRunning: () => activity.is === 'running',
  }
}
