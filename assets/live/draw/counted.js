// A number as discs: the first so many of the places of a pictogram.

import { shade } from "./theme.js";

/** @import { Drawing } from "../types.d.ts" */

/** @type {{ counted: Drawing<"counted"> }} */
export const COUNTED = {
  counted(ctx, layer, env) {
    const xy = env.get(layer.xy);
    const upto = Math.round(env.scalar(layer.upto));
    const unit = Math.abs(env.x(1) - env.x(0));
    ctx.fillStyle = shade(env.colours, layer.role ?? "other");
    ctx.strokeStyle = ctx.fillStyle;
    ctx.lineWidth = Math.max(1, 0.12 * unit);
    for (let i = 0; i < Math.min(upto, xy.length / 2); i++) {
      ctx.beginPath();
      ctx.arc(env.x(xy[2 * i]), env.y(xy[2 * i + 1]), layer.radius * unit, 0, 2 * Math.PI);
      if (layer.hollow) ctx.stroke();
      else ctx.fill();
    }
  },
};
