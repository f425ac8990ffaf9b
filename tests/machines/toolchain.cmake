# SPDX-License-Identifier: MIT
# For scripts/test-on-machines, which sets these variables of the environment: a compiler of Debian for another machine (a gcc, or
# clang and its target), and a folder with packages of Debian for that machine. Programs of the build itself, Python and the like, are those of this one.
if(NOT DEFINED ENV{ROS2BT_SYSROOT})
	message(FATAL_ERROR "scripts/test-on-machines builds here; it sets ROS2BT_COMPILER, ROS2BT_TRIPLET, ROS2BT_PROCESSOR, ROS2BT_SYSROOT and those of pkg-config")
endif()
set(CMAKE_SYSTEM_NAME Linux)
set(CMAKE_SYSTEM_PROCESSOR $ENV{ROS2BT_PROCESSOR})
set(CMAKE_C_COMPILER $ENV{ROS2BT_COMPILER})
set(CMAKE_ASM_COMPILER $ENV{ROS2BT_COMPILER})
set(CMAKE_C_COMPILER_TARGET $ENV{ROS2BT_TRIPLET})
set(CMAKE_ASM_COMPILER_TARGET $ENV{ROS2BT_TRIPLET})
set(CMAKE_SYSROOT $ENV{ROS2BT_SYSROOT})
set(CMAKE_LIBRARY_ARCHITECTURE $ENV{ROS2BT_TRIPLET})
set(CMAKE_FIND_ROOT_PATH_MODE_PROGRAM NEVER)
set(CMAKE_FIND_ROOT_PATH_MODE_LIBRARY ONLY)
set(CMAKE_FIND_ROOT_PATH_MODE_INCLUDE ONLY)
set(CMAKE_FIND_ROOT_PATH_MODE_PACKAGE ONLY)
set(ENV{PKG_CONFIG_SYSROOT_DIR} $ENV{ROS2BT_SYSROOT})
