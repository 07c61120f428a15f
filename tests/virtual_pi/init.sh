#!/bin/bash
# The first process of the virtual Pi: mounts what a running system has, plugs in a simulated GPIO chip that looks like
# a Raspberry Pi 4's, runs the job, and switches the machine off. The kernel hands us
# `exchange`, a folder of the host, and `python`, an interpreter.
# shellcheck disable=SC2154  # these two
export PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin HOME=/run LANG=C.UTF-8

mount -t proc proc /proc
mount -t sysfs sys /sys
mount -t devtmpfs dev /dev 2>/dev/null  # the kernel may have done so already
mount -t tmpfs run /run
mount -t hostfs -o "$exchange" exchange /mnt
mount -t configfs config /sys/kernel/config

add_entropy=0x40085203  # RNDADDENTROPY: how many bits are random, how many bytes follow
"$python" -c "from fcntl import ioctl; from struct import pack; seed = open('/mnt/seed', 'rb').read()
ioctl(open('/dev/random', 'wb'), $add_entropy, pack('ii64s', 512, 64, seed))"

chip=/sys/kernel/config/gpio-sim/pi
mkdir "$chip" "$chip/bank"
echo 54 >"$chip/bank/num_lines"
echo pinctrl-bcm2711 >"$chip/bank/label"
mkdir "$chip/bank/line26" "$chip/bank/line26/hog"  # a line that the kernel itself holds
echo input >"$chip/bank/line26/hog/direction"
echo activity-led >"$chip/bank/line26/hog/name"
echo 1 >"$chip/live"

# gpiozero asks which Pi this is: a 4B.
{ cat /proc/cpuinfo; echo "Revision : c03111"; } >/run/cpuinfo
mount --bind /run/cpuinfo /proc/cpuinfo

cd /run || exit  # lgpio makes a FIFO in the working folder
bash /mnt/job
echo $? >/mnt/status
sync
"$python" -c 'import ctypes; ctypes.CDLL(None).reboot(0x4321FEDC)'  # LINUX_REBOOT_CMD_POWER_OFF
