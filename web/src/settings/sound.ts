// Short sounds made of noise and tones, 300 ms at most. No file is loaded; the setting is off by default.
import { settings } from "./settings.svelte";

export type Sound = "slide" | "knock" | "thud" | "riffle" | "won" | "bell";
let audio: AudioContext | null = null;

export function play(sound: Sound): void {
  if (!isOn(sound)) return;
  audio ??= new AudioContext();
  if (audio.state === "suspended") void audio.resume();
  const now = audio.currentTime;
  switch (sound) {
    case "slide":
      return noise(audio, now, 0.14, 2400, 0.18);
    case "knock":
      return tone(audio, now, 0.12, 196, 0.3);
    case "thud":
      noise(audio, now, 0.06, 500, 0.3);
      return tone(audio, now, 0.18, 88, 0.5);
    case "riffle":
      for (let i = 0; i < 5; i++) noise(audio, now + i * 0.045, 0.035, 3200, 0.14);
      return;
    case "won":
      tone(audio, now, 0.13, 523, 0.22);
      return tone(audio, now + 0.14, 0.16, 784, 0.22);
    case "bell":
      tone(audio, now, 0.12, 196, 0.35);
      return tone(audio, now + 0.13, 0.16, 294, 0.35);
  }
}

/** The bell has a setting of its own. It takes the place of the knock, which says the same. */
function isOn(sound: Sound): boolean {
  if (sound === "bell") return settings.bell === "on";
  return settings.sounds === "on" && !(sound === "knock" && settings.bell === "on");
}

function tone(context: AudioContext, at: number, length: number, pitch: number, volume: number): void {
  const source = new OscillatorNode(context, { type: "triangle", frequency: pitch });
  fade(context, source, at, length, volume);
  source.start(at);
  source.stop(at + length);
}

function noise(context: AudioContext, at: number, length: number, pitch: number, volume: number): void {
  const buffer = context.createBuffer(1, Math.ceil(context.sampleRate * length), context.sampleRate);
  const samples = buffer.getChannelData(0);
  for (let i = 0; i < samples.length; i++) samples[i] = Math.random() * 2 - 1;
  const source = new AudioBufferSourceNode(context, { buffer });
  const filter = new BiquadFilterNode(context, { type: "bandpass", frequency: pitch, Q: 0.8 });
  fade(context, source.connect(filter), at, length, volume);
  source.start(at);
}

function fade(context: AudioContext, from: AudioNode, at: number, length: number, volume: number): void {
  const gain = new GainNode(context, { gain: volume });
  gain.gain.setValueAtTime(volume, at);
  gain.gain.exponentialRampToValueAtTime(0.001, at + length);
  from.connect(gain).connect(context.destination);
}
